// Hands OpenClaw's events to the `memsite` command. Whatever happens to that command, the agent goes on:
// every handler ends in time, throws nothing, and answers nothing when there is no answer.

import { spawn } from "node:child_process";

const LIMITS = { agent_end: 25_000, before_prompt_build: 8_000, session_end: 1_000, sessions: 15_000 };
const LONGEST_ANSWER = 1_000_000;

// OpenClaw registers a plugin several times in one process; all registrations share what they have seen.
const seen = (globalThis[Symbol.for("memsite.openclaw")] ??= { workspaces: new Map() });

/** Run `memsite agent openclaw EVENT`; its answer, or an empty text. Never rejects. */
function ask(command, workspace, name, payload) {
  return new Promise((resolve) => {
    let answer = "";
    let timer;
    const finish = () => {
      clearTimeout(timer);
      resolve(answer);
    };
    try {
      const input = JSON.stringify(payload);
      const options = { stdio: ["pipe", "pipe", "ignore"], detached: true };
      const child = spawn(command, ["-C", workspace, "agent", "openclaw", name], options);
      timer = setTimeout(() => {
        child.unref();
        child.stdout.destroy();
        finish();
      }, LIMITS[name]);
      child.on("error", finish);
      child.on("close", finish);
      child.stdin.on("error", () => {});
      child.stdout.on("error", () => {});
      child.stdout.setEncoding("utf8").on("data", (part) => {
        if (answer.length < LONGEST_ANSWER) answer += part;
      });
      child.stdin.end(input);
    } catch {
      finish();
    }
  });
}

/** The messages without pictures, which may be megabytes and say nothing to a log. */
function withoutPictures(messages) {
  return (Array.isArray(messages) ? messages : []).map((message) =>
    Array.isArray(message?.content)
      ? { ...message, content: message.content.map((block) => (block?.type === "image" ? { type: "image" } : block)) }
      : message,
  );
}

const timeOf = (message) => {
  const time = new Date(message?.timestamp ?? Number.NaN).getTime();
  return Number.isNaN(time) ? 0 : time;
};

/** Whether nothing was said since the conversation was compacted: the summary is newer than every other message. */
function isFreshlyCompacted(messages) {
  const list = Array.isArray(messages) ? messages : [];
  const newest = (wanted) => Math.max(-1, ...list.filter(wanted).map(timeOf));
  const summary = newest((message) => message?.role === "compactionSummary");
  return summary >= 0 && summary >= newest((message) => message?.role !== "compactionSummary");
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export default {
  id: "memsite",
  name: "memsite",
  description: "Session logs in git, protected exchanges after a compaction, /mc sessions.",

  register(api) {
    const config = api.pluginConfig ?? {};
    const command = typeof config.command === "string" && config.command ? config.command : "memsite";

    const workspaceOf = (ctx, sessionId) => {
      try {
        const known = ctx?.workspaceDir ?? seen.workspaces.get(sessionId);
        return known ?? api.runtime?.agent?.resolveAgentWorkspaceDir?.(api.config, ctx?.agentId ?? "main");
      } catch {
        return undefined;
      }
    };

    const stateDir = () => {
      try {
        return api.runtime?.state?.resolveStateDir?.();
      } catch {
        return undefined;
      }
    };

    const hand = async (name, event, ctx = {}) => {
      const sessionId = ctx.sessionId ?? event?.sessionId;
      const workspace = workspaceOf(ctx, sessionId);
      if (!workspace) return "";
      const { agentId, sessionKey, trigger, jobId } = ctx;
      const about = { agentId, sessionKey, sessionId, workspaceDir: workspace, trigger, jobId };
      return ask(command, workspace, name, { event, ctx: about, config, stateDir: stateDir() });
    };

    const on = (name, handler) =>
      api.on(name, async (event, ctx) => {
        try {
          return await handler(event ?? {}, ctx ?? {});
        } catch {
          return undefined;
        }
      });

    on("agent_end", async ({ messages, success }, ctx) => {
      if (ctx.sessionId && ctx.workspaceDir) seen.workspaces.set(ctx.sessionId, ctx.workspaceDir);
      await hand("agent_end", { messages: withoutPictures(messages), success }, ctx);
    });

    on("session_end", async ({ sessionId, sessionKey, reason }, ctx) => {
      await hand("session_end", { sessionId, sessionKey, reason }, ctx);
      seen.workspaces.delete(sessionId);
    });

    on("before_prompt_build", async ({ messages }, ctx) => {
      if (!isFreshlyCompacted(messages)) return undefined;
      const answer = parse(await hand("before_prompt_build", { messages: withoutPictures(messages) }, ctx));
      return typeof answer?.prependContext === "string" ? { prependContext: answer.prependContext } : undefined;
    });

    api.registerCommand?.({
      name: "mc",
      description: "memsite: /mc sessions [DATE] shows the session logs.",
      acceptsArgs: true,
      handler: async (ctx) => {
        const [verb, ...rest] = String(ctx?.args ?? "").trim().split(/\s+/);
        if (verb !== "sessions") return { text: "/mc sessions [DATE]: session logs (daily activity)" };
        const workspace = workspaceOf(ctx, ctx?.sessionId);
        const answer = workspace ? await ask(command, workspace, "sessions", { args: rest.join(" ") }) : "";
        return { text: answer.trimEnd() || "The session logs could not be read; `memsite check` may tell why." };
      },
    });
  },
};
