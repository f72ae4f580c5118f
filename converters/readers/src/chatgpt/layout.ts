/** Where an account's export keeps its conversations: in one file, or in several where there are many. */
export function isExport(name: string): boolean {
  return /^conversations(-\d+)?\.json$/.test(name);
}
