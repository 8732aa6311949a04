import { terminal } from './command-line.ts';
import { runAdmin } from './run-admin.ts';

process.exitCode = await runAdmin(process.argv.slice(2), terminal);
