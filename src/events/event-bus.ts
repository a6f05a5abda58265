import type { PawlEvent } from "./event-types.ts";

export type EventListener = (event: PawlEvent) => void | Promise<void>;

/** Told when a listener throws or rejects; itself never allowed to break a call. */
export type ListenerFault = (error: unknown, event: PawlEvent) => void;

/**
 * Hands every event to every listener, in the order of subscription. A listener cannot break a call or keep others
 * from hearing: what it throws goes to `onFault`.
 */
export class EventBus {
  readonly #listeners = new Set<EventListener>();
  readonly #onFault: ListenerFault;

  constructor(onFault: ListenerFault = () => {}) {
    this.#onFault = onFault;
  }

  /** Returns the function that ends the subscription. */
  subscribe(listener: EventListener): () => void {
    const entry: EventListener = (event) => listener(event);
    this.#listeners.add(entry);
    return () => void this.#listeners.delete(entry);
  }

  publish(event: PawlEvent): void {
    for (const listener of this.#listeners) {
      try {
        const pending = listener(event);
        if (pending instanceof Promise) pending.catch((error: unknown) => this.#fault(error, event));
      } catch (error) {
        this.#fault(error, event);
      }
    }
  }

  #fault(error: unknown, event: PawlEvent): void {
    try {
      this.#onFault(error, event);
    } catch {
      // The reporter of faults is a listener like any other.
    }
  }
}
