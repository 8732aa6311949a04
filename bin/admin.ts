import { terminal } from './command-line.ts';
import { runAdmin } from './run-admin.ts';

// Without this, every command would print the SDK's warning about the version of Node.js.
process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] = 'true';

process.exitCode = await runAdmin(process.argv.slice(2), terminal);
