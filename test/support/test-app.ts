// A Pawl of its own for a test: fresh workspace, fresh PAWL_HOME, both gone when the test ends.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { type App, type AppOptions, createApp } from "../../src/app/create-app.ts";
import { loadConfig } from "../../src/config/load-config.ts";
import type { Config } from "../../src/config/config-schema.ts";
import type { ToolResult } from "../../src/core/result.ts";
import type { PawlEvent } from "../../src/events/event-types.ts";
import type { CallRequest } from "../../src/runtime/call-types.ts";
import type { Caller } from "../../src/tools/base-tool.ts";

export interface TestApp {
  readonly app: App;
  readonly config: Config;
  /** Canonical; empty at first. */
  readonly workspace: string;
  readonly home: string;
  readonly events: PawlEvent[];
  call(tool: string, payload: unknown, more?: Partial<CallRequest> & { caller?: Partial<Caller> }): Promise<ToolResult>;
  /** Writes a file of the workspace, with its folders; returns its absolute path. */
  file(name: string, content: string | Uint8Array): string;
}

export interface TestAppOptions extends Partial<Pick<AppOptions, "clock" | "tools">> {
  readonly config?: Partial<Config>;
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/** Belongs to the running test, which ends it. */
export async function testApp(options: TestAppOptions = {}): Promise<TestApp> {
  const { workspace, home } = testFolders();
  const environment = { ...process.env, ...options.environment };
  const config = { ...(await loadConfig({ environment, home })), ...options.config };
  const { clock, tools } = options;
  const app = await createApp({ config, ...(clock && { clock }), ...(tools && { tools }) });
  onTestFinished(() => app.close());
  const events: PawlEvent[] = [];
  app.services.bus.subscribe((event) => void events.push(event));
  const caller: Caller = { id: "user:test", kind: "local_user", role: config.role };
  return {
    app,
    config,
    workspace,
    home,
    events,
    call: (tool, payload, { caller: other, ...more } = {}) =>
      app.runCall({ tool, payload, cwd: workspace, ...more }, { ...caller, ...other }),
    file: (name, content) => {
      const path = join(workspace, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, content);
      return path;
    },
  };
}

/** A folder with an empty workspace and a name for PAWL_HOME; removed when the test ends. */
export function testFolders(): { root: string; workspace: string; home: string } {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "pawl-test-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const workspace = join(root, "ws");
  mkdirSync(workspace);
  return { root, workspace, home: join(root, "home") };
}
