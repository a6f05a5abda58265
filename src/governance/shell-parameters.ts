// `$name` and `${name…}`, as far as the value is known ("Shell Parameter Expansion" in bash's manual).
import { type ExpansionScope, expandQuoted } from "./shell-expansion.ts";
import { partsOfSpan } from "./shell-parts.ts";
import { escapeGlob, globSource } from "./shell-glob.ts";
import { type ShellNode, textOf } from "./shell-parser.ts";
import { type Binding, type BoundItem, type ShellState, UNKNOWN_BINDING, known } from "./shell-state.ts";
import { type Expansion, UNKNOWN_PART, WORD_BREAK, templateOf } from "./shell-value.ts";

/** Every value that a parameter expansion may have; a list when `@` keeps its items apart. */
export interface ParameterValue {
  readonly bindings: readonly Binding[];
  readonly isList: boolean;
}

interface Parameter {
  readonly prefix: string;
  readonly name: string;
  readonly index: string | undefined;
  readonly operation: string;
}

const SYNTAX = /^\$\{?([!#]?)([A-Za-z_]\w*|\d+|[@*#?$!-])(?:\[([^\]]*)\])?([^]*?)\}?$/;
/** Arrays with more items than this are not tried item by item. */
const MAX_ITEMS = 12;
const TEXT_UNKNOWN: BoundItem = { text: undefined, mayBeEmpty: true };
const TEXT_NOT_EMPTY: BoundItem = { text: undefined, mayBeEmpty: false };

/** Evaluates a `simple_expansion` or `expansion` node; `${name:=word}` assigns. */
export function expandParameter(node: ShellNode, quoted: boolean, scope: ExpansionScope): ParameterValue {
  for (const child of node.children) if (child.type === "subscript") scope.visit(child);
  const match = SYNTAX.exec(textOf(node).trimStart());
  if (!match) return visitUnknown(node, scope);
  const [, prefix = "", name = "", index, rest = ""] = match;
  const operation = textOf(node).trimStart().startsWith("${") ? rest : "";
  const parameter: Parameter = { prefix, name, index, operation };
  const isList = name === "@" || index === "@";
  const isSpread = isList || name === "*" || index === "*";
  if (prefix === "#" || (name === "#" && operation === ""))
    return { bindings: [{ items: [TEXT_NOT_EMPTY] }], isList: false };
  const bindings = prefix === "!" ? indirect(parameter, scope.state) : lookUp(parameter, scope.state);
  if (operation === "") return { bindings, isList };
  const operand = new Operand(node, { operation, quoted, scope });
  const changed = bindings.flatMap((binding) => operand.applyTo(isSpread ? binding : firstOf(binding)));
  if (/^:?=/.test(operation)) scope.state.assign(name, changed);
  return { bindings: changed.length > 0 ? changed : [{ items: [TEXT_NOT_EMPTY] }], isList };
}

function visitUnknown(node: ShellNode, scope: ExpansionScope): ParameterValue {
  scope.visit(node);
  return { bindings: [UNKNOWN_BINDING], isList: false };
}

function lookUp({ name, index }: Parameter, state: ShellState): readonly Binding[] {
  if (/^[1-9]\d*$/.test(name)) return [positionalAt(Number(name) - 1, state)];
  if (name === "@" || name === "*") return [state.positional ? { items: state.positional } : UNKNOWN_BINDING];
  if (name === "0") return [known(state.shellName)];
  if (/^[?$!-]$/.test(name)) return [{ items: [TEXT_NOT_EMPTY] }];
  const bindings = state.variable(name);
  if (index === "@" || index === "*") return bindings;
  if (index === undefined)
    return bindings.flatMap((binding) => (binding.isLoose ? anyOf(binding) : [firstOf(binding)]));
  if (!/^-?\d+$/.test(index) || bindings.some(({ isLoose }) => isLoose)) return bindings.flatMap(anyOf);
  if (index.startsWith("-")) return bindings.map(({ items }) => ({ items: items.slice(Number(index)).slice(0, 1) }));
  return bindings.map(({ items }) => ({ items: items.slice(Number(index), Number(index) + 1) }));
}

/** One item, whichever, or something that is not known. */
function anyOf({ items }: Binding): readonly Binding[] {
  if (items.length >= MAX_ITEMS) return [UNKNOWN_BINDING];
  return [...items.map((item) => ({ items: [item] })), UNKNOWN_BINDING];
}

function positionalAt(index: number, state: ShellState): Binding {
  if (!state.positional) return UNKNOWN_BINDING;
  return { items: state.positional.slice(index, index + 1) };
}

function indirect(parameter: Parameter, state: ShellState): readonly Binding[] {
  return lookUp(parameter, state).flatMap(({ items: [item] }) => {
    if (!item?.text || !/^[A-Za-z_]\w*$/.test(item.text)) return [UNKNOWN_BINDING];
    return state.variable(item.text).map(firstOf);
  });
}

function firstOf(binding: Binding): Binding {
  return binding.items.length > 1 ? { items: binding.items.slice(0, 1) } : binding;
}

/** What stands after the name: an operator and its words, evaluated when they are needed. */
class Operand {
  readonly #node: ShellNode;
  readonly #operation: string;
  readonly #quoted: boolean;
  readonly #scope: ExpansionScope;

  constructor(node: ShellNode, how: { operation: string; quoted: boolean; scope: ExpansionScope }) {
    this.#node = node;
    this.#operation = how.operation;
    this.#quoted = how.quoted;
    this.#scope = how.scope;
  }

  applyTo(binding: Binding): readonly Binding[] {
    const test = /^(:?)([-=+?])/.exec(this.#operation);
    if (test) return this.#choose(binding, test[2]!, test[1] === ":");
    return this.#transform(binding);
  }

  #choose(binding: Binding, operator: string, emptyCounts: boolean): readonly Binding[] {
    const [item] = binding.items;
    const maybe = item !== undefined && (item.text === undefined || item.text === UNKNOWN_PART);
    const isSet = item !== undefined && !(emptyCounts && item.text === "");
    const canLack = !isSet || (maybe && item.mayBeEmpty);
    const word = () => this.#wordFrom(emptyCounts ? 2 : 1).map(withExpansion);
    const present = isSet ? [maybe ? { items: [TEXT_NOT_EMPTY] } : binding] : [];
    if (operator === "?") return present;
    if (operator !== "+") return canLack ? [...present, ...word()] : present;
    return [...(isSet ? word() : []), ...(canLack ? [known("")] : [])];
  }

  #transform(binding: Binding): readonly Binding[] {
    const offset = this.#operation.length > 0 ? this.#wordFrom(0) : [];
    const items = binding.items.map(({ text }) => {
      const changed = text === undefined || text.includes(UNKNOWN_PART) ? undefined : this.#change(text, offset);
      return changed === undefined ? TEXT_UNKNOWN : { text: changed, mayBeEmpty: changed === "" };
    });
    return [{ items }];
  }

  #change(text: string, whole: readonly Expansion[]): string | undefined {
    const operation = whole.length === 1 ? patternOf(whole[0]!) : undefined;
    if (operation === undefined || text.length > 4_000) return undefined;
    const slice = /^: ?(-?\d+)(?::(-?\d+))?$/.exec(operation);
    if (slice) return sliceText(text, Number(slice[1]), slice[2] === undefined ? undefined : Number(slice[2]));
    if (/^(\^\^?|,,?)$/.test(operation)) return changeCase(text, operation);
    const trim = /^(##?|%%?)([^]*)$/.exec(operation);
    if (trim) return trimText(text, trim[1]!, trim[2]!);
    const replace = /^\/([/#%]?)((?:\\[^]|[^/\\])*)(?:\/([^]*))?$/.exec(operation);
    return replace ? replaceText(text, replace) : undefined;
  }

  /** The expansions of what follows the operator, `skip` characters into the operation. */
  #wordFrom(skip: number): readonly Expansion[] {
    const to = this.#node.end - 1;
    const from = to - this.#operation.length + skip;
    const parts = partsOfSpan({ node: this.#node, from, to, quoted: this.#quoted });
    return expandQuoted(parts, this.#scope);
  }
}

function withExpansion(expansion: Expansion): Binding {
  return { ...bindingOf(expansion), expansion };
}

/** The value that a variable gets from an expansion. */
export function bindingOf(expansion: Expansion): Binding {
  const isSure = expansion.some((item) => item !== WORD_BREAK && item.mayBeEmpty === false);
  return isSure ? { items: [TEXT_NOT_EMPTY] } : known(templateOf(expansion));
}

/** The text with everything quoted in it escaped, so that only active pattern characters stay bare. */
function patternOf(expansion: Expansion): string | undefined {
  let pattern = "";
  for (const item of expansion) {
    if (item === WORD_BREAK) pattern += " ";
    else if (item.text === undefined) return undefined;
    else pattern += item.quoted && !/^[:/#%^,]/.test(item.text) ? escapeGlob(item.text) : item.text;
  }
  return pattern;
}

function sliceText(text: string, offset: number, length: number | undefined): string | undefined {
  const start = offset < 0 ? text.length + offset : offset;
  if (start < 0) return "";
  if (length === undefined) return text.slice(start);
  return text.slice(start, length < 0 ? text.length + length : start + length);
}

function changeCase(text: string, operation: string): string {
  const head = operation.length === 2 ? text : text.slice(0, 1);
  return (operation.startsWith("^") ? head.toUpperCase() : head.toLowerCase()) + text.slice(head.length);
}

function trimText(text: string, operator: string, pattern: string): string | undefined {
  const source = globSource(pattern, false);
  if (source === undefined) return undefined;
  const matcher = new RegExp(`^(?:${source})$`);
  const lengths = Array.from({ length: text.length + 1 }, (_, length) => length);
  if (operator.length === 2) lengths.reverse();
  const fromStart = operator.startsWith("#");
  if (lengths.length > 300) return undefined;
  const cut = lengths.find((length) =>
    matcher.test(fromStart ? text.slice(0, length) : text.slice(text.length - length)),
  );
  if (cut === undefined) return text;
  return fromStart ? text.slice(cut) : text.slice(0, text.length - cut);
}

function replaceText(text: string, match: RegExpExecArray): string | undefined {
  const [, kind = "", pattern = "", replacement = ""] = match;
  const source = globSource(pattern, false);
  if (source === undefined || source === "" || text.length > 300) return undefined;
  const anchored = kind === "#" ? `^(?:${source})` : kind === "%" ? `(?:${source})$` : source;
  return text.replace(new RegExp(anchored, kind === "/" ? "g" : ""), () => replacement);
}
