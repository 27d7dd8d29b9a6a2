// Colours and marks for groups: the largest few groups are distinguished, and the rest is grey.

// Okabe and Ito's colours, which remain distinct in the three common forms of colour blindness, darkened where white paper
// needs it; style.css has the values. Each colour has a shape, so that colour is never the only distinction.
const MARKS: [string, string][] = [
  ["var(--group-1)", "circle"],
  ["var(--group-2)", "diamond2"],
  ["var(--group-3)", "triangle2"],
  ["var(--group-4)", "square2"],
  ["var(--group-5)", "star"],
  ["var(--group-6)", "plus"],
];
const REST: [string, string] = ["var(--muted)", "times"];

export interface Group {
  name: string;
  colour: string;
  symbol: string;
  size: number; // members
}

/** Returns the groups, and the group of each member; `name` returns the name of a member's key. */
export function groups<Key>(keys: Key[], name: (key: Key) => string): { list: Group[]; of: Group[] } {
  const sizes = new Map<Key, number>();
  for (const key of keys) sizes.set(key, (sizes.get(key) ?? 0) + 1);
  const ordered = [...sizes].sort((a, b) => b[1] - a[1]);
  const own = ordered.length > MARKS.length + 1 ? MARKS.length : ordered.length;
  const found = new Map<Key, Group>();
  const list: Group[] = [];
  const rest: Group = { name: `${ordered.length - own} others`, colour: REST[0], symbol: REST[1], size: 0 };
  ordered.forEach(([key, size], i) => {
    if (i >= own) {
      rest.size += size;
      found.set(key, rest);
      return;
    }
    const [colour, symbol] = MARKS[i] ?? REST;
    const group = { name: name(key), colour, symbol, size };
    list.push(group);
    found.set(key, group);
  });
  if (rest.size) list.push(rest);
  return { list, of: keys.map((key) => found.get(key)!) };
}
