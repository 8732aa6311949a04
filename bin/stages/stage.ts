import { terminal } from '../command-line.ts';
import { runStage } from './run-stage.ts';

process.exitCode = await runStage(process.argv.slice(2), terminal);
