import type { ProcessMarker } from "./process-marker.ts";
import type { ProcessTable } from "./process-table.ts";
import { LinuxProcessTable } from "./process-table-linux.ts";
import { PsProcessTable } from "./process-table-ps.ts";
import { WindowsProcessTable } from "./process-table-windows.ts";

/** The process table of this system, for one root that is about to start. */
export function openProcessTable(marker: ProcessMarker, platform: NodeJS.Platform = process.platform): ProcessTable {
  if (platform === "linux") return new LinuxProcessTable(marker);
  return platform === "win32" ? new WindowsProcessTable() : new PsProcessTable();
}
