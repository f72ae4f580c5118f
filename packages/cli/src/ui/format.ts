/** Numbers as people read them. */

/** `1,234,567`. By hand: the first use of Intl costs a fifth of the whole start. */
export function count(n: number): string {
  return String(n).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** `1 session`, `3,000 sessions`. */
export function plural(n: number, one: string, many = `${one}s`): string {
  return `${count(n)} ${n === 1 ? one : many}`;
}

/** Decimal units, two or three digits: `812 B`, `4.2 kB`, `118 MB`. */
export function bytes(n: number): string {
  if (Math.round(n) < 1000) return `${Math.round(n)} B`;
  const units = ["kB", "MB", "GB", "TB"];
  let value = n / 1000;
  let unit = 0;
  // 999.5 kB and more would be rounded to a four-digit number.
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${value < 9.95 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}

/** From milliseconds: `0.4 s`, `12 s`, `3 min 5 s`, `2 h 4 min`. */
export function duration(ms: number): string {
  const seconds = ms / 1000;
  if (seconds < 9.95) return `${Math.max(seconds, 0.1).toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

/** ISO 8601 → local `2026-11-03 14:05`; what is no time is given back as nothing. */
export function when(iso: string | undefined): string {
  const date = iso === undefined ? undefined : new Date(iso);
  if (date === undefined || Number.isNaN(date.getTime())) return "";
  const two = (n: number) => String(n).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** How long ago, in at most seven columns: `now`, `5 min`, `3 h`, `12 d`; from two months on the month. */
export function ago(iso: string | undefined, now: number = Date.now()): string {
  const time = iso === undefined ? Number.NaN : Date.parse(iso);
  if (Number.isNaN(time)) return "";
  const minutes = Math.floor((now - time) / 60_000);
  if (minutes < 1) return "now";
  if (minutes < 60) return `${minutes} min`;
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} h`;
  const days = Math.floor(minutes / 1440);
  return days < 60 ? `${days} d` : when(iso).slice(0, 7);
}
