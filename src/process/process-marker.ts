import { newId } from "../core/ids.ts";
import { sha256Hex } from "../core/sha256.ts";

/**
 * What the processes of one tree inherit, so that they are known wherever they go. Each part survives something
 * that the others do not: the variable survives closed descriptors, the descriptor an emptied environment,
 * the limit both.
 */
export interface ProcessMarker {
  /** Name of an environment variable that only this tree has. */
  readonly variable: string;
  /** Number of a descriptor that the root gets, the end of a socket that nobody reads. */
  readonly descriptor: number;
  /** Soft value of RLIMIT_LOCKS, which Linux keeps, inherits and never looks at (getrlimit(2)). */
  readonly lockLimit: number;
}

// Above what shells take for themselves (10 and up, 63 and down), below every limit on open files.
const MARKER_DESCRIPTOR = 97;
const LOWEST_LOCK_LIMIT = 2 ** 40;

/** A marker unlike any other; the same again for the same seed, so that what carries it can be found later. */
export function createMarker(seed: string = newId("tree")): ProcessMarker {
  const digest = sha256Hex(seed);
  return {
    variable: `PAWL_TREE_${digest.slice(0, 16)}`,
    descriptor: MARKER_DESCRIPTOR,
    lockLimit: LOWEST_LOCK_LIMIT + Math.floor(Number.parseInt(digest.slice(24, 36), 16) / 2),
  };
}

/**
 * Shell commands that put the limit on the shell itself and all it starts (`-x` in bash and zsh, `-w` in dash).
 * Put them in front of a user's script, on its first line so that line numbers stay right: they print nothing, and
 * succeed where there is no such limit.
 */
export function markerPrologue(marker: ProcessMarker): string {
  return `ulimit -S -x ${marker.lockLimit} 2>/dev/null || ulimit -S -w ${marker.lockLimit} 2>/dev/null || :; `;
}
