import { erasedPlan } from "../../src/model/erased-plan.ts";
import type { Erasure, ErasureCause } from "../../src/model/erasure.ts";
import type { DueErasure, Erasures } from "../../src/ports/erasures.ts";
import type { Row } from "./memory-rows.ts";

const DAY_MS = 86_400_000;

/** Erasures of a store in memory, over its rows. */
export const memoryErasures = (rows: ReadonlyMap<string, Row>, now: () => number): Erasures => {
  const kept: { workspaceId: string; erasure: Erasure }[] = [];
  const over = () => [...rows.values()].filter(({ state, erasedAt }) => state === "ENDED" && erasedAt === undefined);
  const note = (workspaceId: string, erasure: Omit<Erasure, "createdAt">): Erasure => {
    const noted = { ...erasure, createdAt: new Date(now()).toISOString() };
    kept.push({ workspaceId, erasure: noted });
    return noted;
  };
  return {
    async markDial(workspaceId, dialId) {
      const row = rows.get(dialId);
      if (row?.dial.plan.workspaceId !== workspaceId) return "unknown";
      if (row.state !== "ENDED") return "open";
      row.eraseCause ??= "dial";
      return "marked";
    },
    async markNumber(workspaceId, erasureId, number) {
      const concerned = [...rows.values()].filter(({ erasedAt, dial: { plan } }) => {
        const party = plan.direction === "inbound" ? plan.fromNumber : plan.toNumber;
        return erasedAt === undefined && plan.workspaceId === workspaceId && party === number;
      });
      for (const row of concerned) row.eraseCause ??= "number";
      return note(workspaceId, { id: erasureId, cause: "number", dials: concerned.length });
    },
    findMarked: async (limit, workspaceId) =>
      over()
        .filter(
          ({ eraseCause, dial }) => eraseCause && (workspaceId ?? dial.plan.workspaceId) === dial.plan.workspaceId,
        )
        .slice(0, limit)
        .map((row) => due(row, row.eraseCause ?? "dial")),
    findExpired: async (limit, otherwiseDays) =>
      over()
        .filter(({ endedAt = now(), dial }) => {
          const days = dial.plan.agent.retentionDays ?? otherwiseDays;
          return days !== undefined && endedAt < now() - days * DAY_MS;
        })
        .slice(0, limit)
        .map((row) => due(row, "retention")),
    async erase({ dialId, workspaceId, cause }, erasureId) {
      const row = rows.get(dialId);
      if (row?.state !== "ENDED" || row.erasedAt !== undefined) return;
      const { fromNumber: _from, toNumber: _to, ...plan } = erasedPlan(row.dial.plan);
      Object.assign(row, {
        dial: { ...row.dial, plan },
        erasedAt: now(),
        carrierCallId: null,
        transcript: [],
        turns: [],
        recordings: [],
        aiResult: undefined,
        aiResultEvidence: undefined,
      });
      note(workspaceId, { id: erasureId, cause, dialId, dials: 1 });
    },
    async standingOf(dialId) {
      const row = rows.get(dialId);
      return (
        row && { over: row.endedAt !== undefined && row.endedAt < now() - 60_000, erased: row.erasedAt !== undefined }
      );
    },
    async list(workspaceId, { limit, after }) {
      const own = kept.filter((one) => one.workspaceId === workspaceId).map(({ erasure }) => erasure);
      const from = after === undefined ? 0 : own.findIndex(({ id }) => id === after.id) + 1;
      const items = own.slice(from, from + limit);
      const last = items.at(-1);
      const more = own.length > from + limit && last !== undefined;
      return { items, next: more ? { createdAt: last.createdAt, id: last.id } : null };
    },
    tidy: async () => 0,
  };
};

const due = ({ dial: { plan } }: Row, cause: ErasureCause): DueErasure => ({
  dialId: plan.dialId,
  workspaceId: plan.workspaceId,
  cause,
});
