import { describeOrders } from '../integration/writers/orders.ts';

describe('writers of one record, the other texts', function () {
  this.timeout(60_000);
  describeOrders('soak');
});
