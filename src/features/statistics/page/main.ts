import './statistics.css';
import { button, checkbox, registerControls, textField } from '../../../ui/page/toolkit.ts';
import { StatisticsPage } from './statisticsPage.ts';

registerControls(button, textField, checkbox);
new StatisticsPage().start();
