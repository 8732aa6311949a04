/**
 * A decoder that Emscripten built, without `eval`, which the policy of viewer pages forbids: the calls
 * between C++ and JavaScript are made by closures that do what the source texts would do (decision 0104).
 * @throws Error if the decoder is another than expected
 */
export function withoutEval(script: string): string {
  const changed = replaceOnce(
    replaceOnce(script, 'newFunc(Function,args)(...closureArgs)', cppCaller),
    'newFunc(Function,params)(...args)',
    methodCaller,
  );
  if (changed.includes('newFunc(Function')) throw new Error('the decoder has other eval');
  return changed;
}

function replaceOnce(script: string, evaluated: string, closure: string): string {
  const parts = script.split(evaluated);
  if (parts.length !== 2) throw new Error(`the decoder has ${parts.length - 1} of ${evaluated}`);
  return parts.join(closure);
}

/**
 * Calls a C++ function. It uses embind's variables at that place: `argTypes` are the types of the
 * result, of `this` (null for a plain function) and of the parameters. Memory of parameters is released
 * by `stack` if there is one, else by each type's `destructorFunction`.
 */
const cppCaller = `(function (...values) {
  const stack = needsDestructorStack ? [] : null;
  const types = argTypes.slice(isClassMethodFunc ? 1 : 2);
  const given = isClassMethodFunc ? [this, ...values] : values;
  const wired = types.map((type, at) => type.toWireType(stack, given[at]));
  const result = cppInvokerFunc(cppTargetFunc, ...wired);
  if (stack !== null) runDestructors(stack);
  else types.forEach((type, at) => type.destructorFunction !== null && type.destructorFunction(wired[at]));
  return returns ? argTypes[0].fromWireType(result) : undefined;
})`;

/**
 * Calls a JavaScript function, constructor (kind 1) or method (kind 0) with values from C++'s memory.
 */
const methodCaller = `(function (object, called, destructorsRef, place) {
  const values = [];
  let at = place;
  for (const type of types.slice(0, argCount)) {
    values.push(type.readValueFromPointer(at));
    at += type.argPackAdvance;
  }
  const result = kind === 1 ? new called(...values) : called.call(...(kind === 0 ? [object] : []), ...values);
  return retType.isVoid ? undefined : emval_returnValue(retType, destructorsRef, result);
})`;
