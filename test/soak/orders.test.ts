import { describeOrders } from '../integration/writers/orders.ts';

describe('writers of one record, the other texts', function () {
  describeOrders('soak');
});
