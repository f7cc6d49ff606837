// The service of the measurement, in a process of its own: it must not share the event loop with what is measured.
import { startSandbox } from '../../src/service/sandbox/index.ts';
import { root } from '../support.mjs';

const sandbox = await startSandbox({ assets: `${root}/media/starters`, templates: Number(process.argv[2]) });
const { baseUrl, apiKey } = sandbox;
process.send?.({ baseUrl, apiKey });
process.on('disconnect', () => process.exit());
