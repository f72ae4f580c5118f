/** `asp-convert` for programs. The command is `bin/asp-convert.js`. */
export {
  type ConvertOptions,
  type ConvertTarget,
  convert,
  list,
  type OneSession,
  type ReadOptions,
  read,
} from "./library.js";
