import { runCommand } from "../../commands/run-command.ts";
import { localUser, withApp } from "../with-app.ts";
import { type CallOptions, show } from "./exec-tool.ts";

/** `pawl exec-command`; resolves to the exit status. */
export async function execCommand(name: string, prompt: string, options: CallOptions): Promise<number> {
  return withApp(async (app) => {
    const request = {
      name,
      prompt,
      cwd: options.cwd ?? process.cwd(),
      signal: new AbortController().signal,
      ...(options.session !== undefined && { sessionId: options.session }),
    };
    return show(await runCommand(app.services, request, localUser(app)), options.json === true);
  });
}
