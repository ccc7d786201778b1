/** Detection of duplicate keys in JSON, which `JSON.parse` accepts. */

/** Whether an object of this text, which `JSON.parse` has accepted, has a duplicate key. Scans only strings and brackets. */
export function hasDoubles(source: string): boolean {
  const open: (Set<string> | null)[] = [];
  for (const { 0: found, index } of source.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]]/g)) {
    if (found === "{") open.push(new Set());
    else if (found === "[") open.push(null);
    else if (found === "}" || found === "]") open.pop();
    else if (isKey(source, index + found.length)) {
      const keys = open.at(-1);
      const key = found.includes("\\") ? (JSON.parse(found) as string) : found.slice(1, -1);
      if (keys?.has(key)) return true;
      keys?.add(key);
    }
  }
  return false;
}

/** Whether a colon comes next. */
function isKey(source: string, at: number): boolean {
  while (source[at] === " " || source[at] === "\t" || source[at] === "\n" || source[at] === "\r") at++;
  return source[at] === ":";
}
