import { terminal } from '../command-line.ts';
import { runDoctor } from './run-doctor.ts';

// Without this, the SDK prints a warning about the version of Node.js.
process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] = 'true';

process.exitCode = await runDoctor(process.argv.slice(2), process.env, terminal);
