import { type Context, createContext, Script } from 'node:vm';
import { Worker } from 'node:worker_threads';

/**
 * Leaves the language's own globals and `console`, and freezes every object of the language, so that no
 * run can change them for the next. `console` is created inside: the constructor of an outer object
 * would give access to Node.
 *
 * A frozen prototype would also refuse an assignment to an object that inherits from it (`error.name = …`),
 * so properties of the commonest prototypes become accessors that define the property on the object itself.
 * The static properties of `RegExp` would show the last match of an earlier run.
 */
const prelude = new Script(`
var console = { log() {} };
delete globalThis.WebAssembly;
for (const key of Reflect.ownKeys(RegExp)) if (!['prototype', 'name', 'length'].includes(key)) delete RegExp[key];
{
  const seen = new Set();
  const assignable = (owner, key, value) => ({
    get: () => value,
    set(next) {
      if (this === owner) throw new TypeError('Cannot assign to ' + String(key));
      Object.defineProperty(this, key, { value: next, writable: true, enumerable: true, configurable: true });
    },
    configurable: false,
  });
  const inherited = [Object.prototype, Function.prototype, Error.prototype, TypeError.prototype, RangeError.prototype];
  const visit = (value) => {
    if (value === globalThis || Object(value) !== value || seen.has(value)) return;
    seen.add(value);
    for (const key of Reflect.ownKeys(value)) {
      const { value: inner, get, set, configurable, writable } = Reflect.getOwnPropertyDescriptor(value, key);
      [inner, get, set].forEach(visit);
      if (inherited.includes(value) && configurable && writable) Object.defineProperty(value, key, assignable(value, key, inner));
    }
    visit(Reflect.getPrototypeOf(value));
  };
  for (const key of Reflect.ownKeys(globalThis)) visit(globalThis[key]);
  const hidden = [function* () {}, async function () {}, async function* () {}, [].values(), new Map().values(),
    new Set().values(), ''[Symbol.iterator](), /x/[Symbol.matchAll]('x')];
  hidden.forEach(visit);
  seen.forEach(Object.freeze);
}`);

/** CloudFront accepts an import in the first line only. */
const moduleImport = /^import cf from 'cloudfront';\n/;

/** The code as a script. Without the import, the module `cf` does not exist. */
export function withoutImport(code: string): string {
  return code.replace(moduleImport, '\n');
}

/** Reading a tenant, or a parameter that it does not have, is an error of the function. */
const cloudFrontModule = `const cf = {
  createRequestOriginGroup(group) { originGroup = group; },
  get distributionTenant() {
    if (!edgeCall.tenant) throw new TypeError('distributionTenant module is not available');
    const { id, parameters } = edgeCall.tenant;
    return { id, parameters: { get(name) {
      if (Object.hasOwn(parameters, name)) return parameters[name];
      throw new Error('There is no parameter ' + name);
    } } };
  },
};`.replaceAll('\n', '');

/**
 * The function is evaluated anew for each run, in a scope of its own. The microtask queue is drained before
 * `runInContext` returns.
 */
function invocationOf(code: string, filename: string): Script {
  return new Script(
    `{ let originGroup; const edgeCall = JSON.parse(edgeInput); ${moduleImport.test(code) ? cloudFrontModule : ''}
  const output = (value) => { edgeOutput = JSON.stringify({ ...value, originGroup }); };
  const returned = (function () { ${withoutImport(code)}
return handler; })()(edgeCall.event);
  if (returned instanceof Promise) returned.then((value) => output({ value }), (error) => output({ error: String(error) }));
  else output({ value: returned });
}`,
    { filename, lineOffset: -2 },
  );
}

interface Realm {
  context: Context;
  sandbox: Record<string, unknown>;
  /** What the global object held before any run. */
  before: GlobalState;
}

/** The bindings of a global object: new and replaced ones are in the sandbox, the language's are not. */
type GlobalState = ReturnType<typeof stateOf>;

const exchanged = ['edgeInput', 'edgeOutput'];

/** In a fixed order: since Node 22, a run that gives a binding another value changes the order of the keys. */
function namesOf(owner: object): string {
  return Reflect.ownKeys(owner).map(String).toSorted().join();
}

function stateOf(global: object, sandbox: Record<string, unknown>) {
  const prototype = Reflect.getPrototypeOf(global);
  return {
    global,
    names: [global, sandbox, prototype ?? {}].map(namesOf).join('; '),
    prototype,
    console: sandbox['console'],
  };
}

function isUnchanged({ sandbox, before }: Realm): boolean {
  const now = stateOf(before.global, sandbox);
  const isWritable = exchanged.every(
    (name) => Reflect.getOwnPropertyDescriptor(sandbox, name)?.writable === true,
  );
  return (
    isWritable &&
    now.names === before.names &&
    now.prototype === before.prototype &&
    now.console === before.console
  );
}

const globalObject = new Script('globalThis');

function createRealm(): Realm {
  const sandbox: Record<string, unknown> = Object.create(null);
  for (const name of exchanged) sandbox[name] = '';
  const context = createContext(sandbox, {
    codeGeneration: { strings: false, wasm: false },
    microtaskMode: 'afterEvaluate',
  });
  prelude.runInContext(context);
  return { context, sandbox, before: stateOf(globalObject.runInContext(context), sandbox) };
}

/** The output of a run: the JSON that it returned, or why it failed. */
export type Output = { json: unknown } | { error: string };

/**
 * Runs the code of one viewer function again and again, without any state that one run could leave for
 * the next: its scope is new each time, the language's objects are frozen, and a context whose global
 * object was changed is not used again. A new context for each run would take ten times as long. A run that does
 * not end ends the process (`watched`).
 */
export function sandboxFor(code: string, filename: string): (input: string) => Output {
  const invocation = invocationOf(code, filename);
  let kept: Realm | undefined;
  return (input) => {
    const realm = kept ?? createRealm();
    // After a failure, nothing is known about the context.
    kept = undefined;
    realm.sandbox['edgeInput'] = input;
    realm.sandbox['edgeOutput'] = undefined;
    try {
      watched(filename, () => invocation.runInContext(realm.context));
    } catch (error) {
      return { error: String(error) };
    }
    const output = realm.sandbox['edgeOutput'];
    if (typeof output !== 'string') return { error: 'the function did not end' };
    if (isUnchanged(realm)) kept = realm;
    return { json: JSON.parse(output) };
  };
}

/** The longest name that the watchdog can tell, in bytes. */
const NAME_BYTES = 256;

interface Watchdog {
  /** The number of the run that is on, or 0. */
  current: Int32Array;
  /** What runs, in UTF-8, ended by a zero. */
  name: Uint8Array;
}

let started: Watchdog | undefined;
let runs = 0;
const encoder = new TextEncoder();

/**
 * Runs code that must not compute for long. If it has not returned after two seconds, a thread of its own says
 * so on standard error and ends the process.
 *
 * The `timeout` of `node:vm` would go on afterwards, but starts a thread for each run, which takes twenty times as
 * long as a run itself.
 *
 * @param filename what the message names
 */
function watched(filename: string, run: () => void): void {
  const { current, name } = (started ??= start());
  const { written } = encoder.encodeInto(filename, name.subarray(0, -1));
  name[written] = 0;
  runs = (runs % 0x7f_ff_ff_ff) + 1;
  Atomics.store(current, 0, runs);
  try {
    run();
  } finally {
    Atomics.store(current, 0, 0);
  }
}

function start(): Watchdog {
  const current = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const name = new Uint8Array(new SharedArrayBuffer(NAME_BYTES));
  const worker = new Worker(new URL('./watchdog.mjs', import.meta.url), {
    workerData: { current: current.buffer, name: name.buffer },
    // The parent's flags would load tsx or Jest's hooks into the worker.
    execArgv: [],
  });
  worker.unref();
  return { current, name };
}
