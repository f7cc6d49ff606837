// The measured service. It runs in its own process so that it doesn't share the event loop with the measured code.
import { startSandbox } from '../../test/support/sandbox/index.ts';
import { root } from '../support.mjs';

const sandbox = await startSandbox({ assets: `${root}/media/starters`, subscribers: Number(process.argv[2]) });
const { baseUrl, apiKey } = sandbox;
process.send?.({ baseUrl, apiKey });
process.on('disconnect', () => process.exit());
