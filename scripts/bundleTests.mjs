// Bundles test/integration, for the launch configuration "Integration tests".
import { bundleIntegrationTests } from './lib/integration.mjs';

await bundleIntegrationTests();
