import { accessBindings } from './runtime/access-bindings.ts';
import { clearedBindings } from './runtime/cleared-bindings.ts';
import { endpoint } from './runtime/endpoint.ts';
import { nothingThere } from './runtime/nothing-there.ts';
import { openBindings } from './runtime/open-bindings.ts';
import { previewBindings } from './runtime/preview-bindings.ts';
import { reportBindings } from './runtime/report-bindings.ts';

/** `/_slipway/…` on every site's own host: the password, owners' and preview links, reports of abuse, the opens that pages tell of, and the mark of a browser that was cleared. */
export const handler = endpoint([
  ...accessBindings,
  ...previewBindings,
  ...reportBindings,
  ...openBindings,
  ...clearedBindings,
  ...nothingThere,
]);
