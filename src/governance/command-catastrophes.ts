export function findCatastrophe(_a: unknown, _b: unknown): { program: string; reason: string } | undefined {
  return undefined;
}
