/** Where Crush keeps the sessions of a project. */
export const FOLDER = ".crush";
export const DATABASE = "crush.db";
