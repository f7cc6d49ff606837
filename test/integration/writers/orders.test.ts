import { describeOrders } from './orders.ts';

describe('writers of one record', function () {
  describeOrders('tests');
});
