import { describeFaults } from '../integration/faults/matrix.ts';
import { casesFor } from '../support/interface.ts';

// Minutes more than the integration tests take, as many of these wait for pauses between reads and for timeouts.
describeFaults('what a user does under each fault, the rest', casesFor('soak'));
