import * as budgets from 'aws-cdk-lib/aws-budgets';
import { Construct } from 'constructs';

export interface BudgetProps {
  /** US dollars in a calendar month. */
  monthlyBudget: number;
  email: string;
}

/**
 * Mails when the AWS account costs more than expected. It covers the whole account, not the tag:
 * until somebody activates a tag in Billing, the budget of that tag stays at zero without a warning.
 */
export class Budget extends Construct {
  constructor(scope: Construct, id: string, { monthlyBudget, email }: BudgetProps) {
    super(scope, id);
    const notice = (notificationType: 'ACTUAL' | 'FORECASTED', threshold: number) => ({
      notification: {
        notificationType,
        threshold,
        thresholdType: 'PERCENTAGE',
        comparisonOperator: 'GREATER_THAN',
      },
      subscribers: [{ subscriptionType: 'EMAIL', address: email }],
    });
    new budgets.CfnBudget(this, 'Month', {
      budget: {
        budgetType: 'COST',
        timeUnit: 'MONTHLY',
        budgetLimit: { amount: monthlyBudget, unit: 'USD' },
      },
      notificationsWithSubscribers: [
        notice('ACTUAL', 50),
        notice('ACTUAL', 100),
        notice('FORECASTED', 100),
      ],
    });
  }
}
