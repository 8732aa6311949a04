import { accessBindings } from './access-bindings.ts';
import { clearedBindings } from './cleared-bindings.ts';
import { endpoint } from '../http/endpoint.ts';
import { nothingThere } from './nothing-there.ts';
import { openBindings } from './open-bindings.ts';
import { previewBindings } from './preview-bindings.ts';
import { reportBindings } from './report-bindings.ts';

/** `/_slipway/…` on every site's own host: the password, owners' and preview links, reports of abuse, the opens that pages tell of, and the mark of a browser that was cleared. */
export const handler = endpoint([
  ...accessBindings,
  ...previewBindings,
  ...reportBindings,
  ...openBindings,
  ...clearedBindings,
  ...nothingThere,
]);
