import { describeOrders } from './orders.ts';

describe('writers of one record', function () {
  this.timeout(60_000);
  describeOrders('tests');
});
