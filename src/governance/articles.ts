// PAM++, policy-governed agent management: the ten articles that tools are mapped to (SPEC §4).
import type { ArticleId } from "../registry/tool-metadata.ts";

export interface Article {
  readonly about: string;
  readonly default: "allow" | "ask" | "enforce";
}

export const ARTICLES: Readonly<Record<ArticleId, Article>> = {
  I: { about: "least privilege: reading inside the workspace", default: "allow" },
  II: { about: "workspace integrity: changing files and running commands inside it", default: "allow" },
  III: { about: "external data coming in", default: "allow" },
  IV: { about: "credentials and identity", default: "ask" },
  V: { about: "unattended action: schedules", default: "ask" },
  VI: { about: "limits: time, output, memory, processes", default: "enforce" },
  VII: { about: "accountability: audit, redaction, retention", default: "enforce" },
  VIII: { about: "many agents: teams and delegation", default: "ask" },
  IX: { about: "human oversight: plan mode and questions", default: "enforce" },
  X: { about: "remote execution", default: "ask" },
};
