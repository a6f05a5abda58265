// Finds a tool by any of its names, and makes it on first use.
import { ToolError } from "../core/errors.ts";
import { didYouMean } from "../core/nearest.ts";
import type { BaseTool } from "../tools/base-tool.ts";
import type { ToolServices } from "../tools/tool-services.ts";
import type { ToolMetadata } from "./tool-metadata.ts";

export class ToolRegistry {
  readonly #services: ToolServices;
  readonly #rows: readonly ToolMetadata[];
  readonly #byName = new Map<string, ToolMetadata>();
  readonly #made = new Map<string, Promise<BaseTool>>();

  constructor(services: ToolServices, rows: readonly ToolMetadata[]) {
    this.#services = services;
    this.#rows = rows;
    for (const row of rows) {
      for (const name of [row.name, ...row.wireNames]) this.#claim(name, row);
    }
  }

  /** All rows, in the order of the catalog. */
  all(): readonly ToolMetadata[] {
    return this.#rows;
  }

  /** Exact name, else without case, punctuation and one trailing `tool`. Throws `unknown_tool` with the nearest names. */
  find(name: string): ToolMetadata {
    const row = this.#byName.get(name) ?? this.#byName.get(foldName(name));
    if (row) return row;
    const names = this.#rows.flatMap((known) => [known.name, ...known.wireNames]);
    const hint = [didYouMean(name, names), "`pawl tools` lists them all."].filter(Boolean).join(" ");
    throw new ToolError("unknown_tool", `No tool is named ${JSON.stringify(name.slice(0, 100))}`, { hint });
  }

  async load(row: ToolMetadata): Promise<BaseTool> {
    let made = this.#made.get(row.name);
    if (!made) {
      made = row.load(this.#services);
      this.#made.set(row.name, made);
      made.catch(() => this.#made.delete(row.name));
    }
    return made;
  }

  #claim(name: string, row: ToolMetadata): void {
    for (const key of [name, foldName(name)]) {
      const owner = this.#byName.get(key);
      if (owner && owner !== row) throw new Error(`${owner.name} and ${row.name} both claim the name ${name}`);
      this.#byName.set(key, row);
    }
  }
}

function foldName(name: string): string {
  const plain = name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
  return plain.length > 4 && plain.endsWith("tool") ? plain.slice(0, -4) : plain;
}
