import { constants, type FileHandle, open } from "node:fs/promises";

import { z } from "zod";
import { fromSystemError, ToolError } from "../../core/errors.ts";
import type { ToolOutput } from "../../core/result.ts";
import { BaseTool, type CallUses, type ToolContext } from "../base-tool.ts";

const MAX_CHARACTERS = 200_000;
const MAX_BYTES_OF_CHARACTER = 4;

const input = z.strictObject({
  plan: z.string().max(MAX_CHARACTERS).optional().describe("The plan as Markdown; at most 200,000 characters."),
  plan_file_path: z.string().min(1).optional().describe("A UTF-8 file to read the plan from, instead of plan."),
  allowedPrompts: z.array(z.unknown()).optional().describe("Accepted for compatibility; grants nothing."),
});
const output = z.lazy(() =>
  z.object({
    message: z.string(),
    mode: z.literal("default"),
    plan: z.string().nullable(),
    plan_file_path: z.string().nullable().describe("Where the plan was read from, absolute."),
  }),
);

type Params = z.output<typeof input>;
type Data = z.output<typeof output>;

/** Presents a plan and gives the session's next calls their rights back. */
export class ExitPlanModeV2Tool extends BaseTool<typeof input, Data> {
  readonly name = "ExitPlanModeV2Tool";
  readonly description =
    "Presents the plan and ends plan mode, so that tools may write and execute again. Refused with `conflict` when the session is not in plan mode.";
  readonly input = input;
  readonly output = output;
  override readonly principalParameter = "plan";
  override readonly pathParameters = ["plan_file_path"];
  override readonly synonyms = { plan_filename: "plan_file_path", plan_path: "plan_file_path" };

  override uses({ plan_file_path }: Params): CallUses {
    if (plan_file_path === undefined) return { paths: [] };
    return { paths: [{ parameter: "plan_file_path", path: plan_file_path, access: "read" }] };
  }

  override async execute(params: Params, context: ToolContext): Promise<ToolOutput<Data>> {
    if (context.session.mode !== "plan") {
      throw new ToolError("conflict", "This session is not in plan mode", { hint: "EnterPlanModeTool starts it." });
    }
    const file = params.plan_file_path === undefined ? undefined : context.authorizedPath(params.plan_file_path);
    const written = file && (await readPlan(file.canonical, file.display));
    if (params.plan !== undefined && written !== undefined && params.plan !== written) {
      throw new ToolError("invalid_input", `plan and the content of ${file?.display} are different plans`, {
        hint: "Send only one of plan and plan_file_path.",
      });
    }
    const plan = params.plan ?? written;
    await context.session.setMode("default", plan);
    const message = "Plan mode has ended: tools may write and run commands again.";
    const text = plan ? `${message}\n\n${plan}` : message;
    const data: Data = { message, mode: "default", plan: plan ?? null, plan_file_path: file?.canonical ?? null };
    return { text, data };
  }
}

/** The text of a plan. Throws for what is no regular file, no UTF-8, or too long; never waits for a pipe. */
async function readPlan(path: string, shown: string): Promise<string> {
  try {
    const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      return decodePlan(await readBytes(handle, shown), shown);
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw fromSystemError(error, shown);
  }
}

async function readBytes(handle: FileHandle, shown: string): Promise<Buffer> {
  const stat = await handle.stat();
  if (!stat.isFile()) {
    throw new ToolError("invalid_input", `${shown} is not a file`, { hint: "Name the file that holds the plan." });
  }
  if (stat.size > MAX_CHARACTERS * MAX_BYTES_OF_CHARACTER) throw tooLong(shown);
  return handle.readFile();
}

function decodePlan(bytes: Buffer, shown: string): string {
  const text = decodeUtf8(bytes, shown);
  if (text.length > MAX_CHARACTERS) throw tooLong(shown);
  return text;
}

function decodeUtf8(bytes: Buffer, shown: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw new ToolError("invalid_input", `${shown} is not UTF-8 text`, {
      hint: "Save the plan as UTF-8, or send it as plan.",
      cause: error,
    });
  }
}

function tooLong(shown: string): ToolError {
  const message = `${shown} is longer than ${MAX_CHARACTERS} characters, the most that a plan may have`;
  return new ToolError("limit_exceeded", message, { hint: "Shorten it." });
}
