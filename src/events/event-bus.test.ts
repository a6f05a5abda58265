import { describe, expect, it } from "vitest";
import { EventBus } from "./event-bus.ts";
import type { PawlEvent } from "./event-types.ts";

const event: PawlEvent = { type: "session.created", sessionId: "s", workspace: "/w", at: 1 };

describe("the event bus (REQ-062-075)", () => {
  it("hands every event to every listener, in order, until it leaves", () => {
    const bus = new EventBus();
    const heard: string[] = [];
    const leave = bus.subscribe(() => void heard.push("first"));
    bus.subscribe(() => void heard.push("second"));
    bus.publish(event);
    leave();
    bus.publish(event);
    expect(heard).toEqual(["first", "second", "second"]);
  });

  it("hands an event twice to a listener that subscribed twice", () => {
    const bus = new EventBus();
    let count = 0;
    const listener = (): void => void (count += 1);
    const leave = bus.subscribe(listener);
    bus.subscribe(listener);
    bus.publish(event);
    leave();
    bus.publish(event);
    expect(count).toBe(3);
  });

  it("does not let a listener break a call or keep others from hearing", async () => {
    const faults: unknown[] = [];
    const bus = new EventBus((error) => {
      faults.push(error);
      throw new Error("even the reporter fails");
    });
    let heard = 0;
    bus.subscribe(() => {
      throw new Error("thrown");
    });
    bus.subscribe(() => Promise.reject(new Error("rejected")));
    bus.subscribe(() => void (heard += 1));
    bus.publish(event);
    await new Promise(setImmediate);
    expect(heard).toBe(1);
    expect(faults.map(String)).toEqual(["Error: thrown", "Error: rejected"]);
  });
});
