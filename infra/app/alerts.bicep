@description('Name of the action group.')
param actionGroupName string
@description('Region of the rules.')
param location string
@description('Tags of every resource.')
param tags object
@description('Resource id of the Application Insights component that the rules query.')
param componentId string
@description('Resource id of its Log Analytics workspace, which keeps the records of its own operation.')
param workspaceId string
@description('Resource id of the Function App.')
param appId string
@description('Mail address, or empty.')
param email string

resource actionGroup 'Microsoft.Insights/actionGroups@2023-01-01' = if (!empty(email)) {
  name: actionGroupName
  location: 'global'
  tags: tags
  properties: {
    enabled: true
    groupShortName: 'scale-out'
    emailReceivers: [
      {
        name: 'mail'
        emailAddress: email
        useCommonAlertSchema: true
      }
    ]
  }
}

var actionGroups = empty(email) ? [] : [actionGroup.id]

// 2026-03-01 is the only newer version of the rules, and the Bicep that azd brings does not know it yet. The queries are not validated when
// the rules are made, because tables and columns of a new component may not be known yet: .ci/run parses them.
resource throttledShare 'Microsoft.Insights/scheduledQueryRules@2023-12-01' = {
  name: 'run-throttled-share'
  location: location
  tags: tags
  kind: 'LogAlert'
  properties: {
    displayName: 'Over 5% of a run\'s attempts were throttled'
    description: 'Over its last five whole minutes. It asks for more than its RU/s, or than one partition has; the workbook shows which.'
    severity: 3
    enabled: true
    scopes: [componentId]
    evaluationFrequency: 'PT5M'
    // Three times the five minutes that are judged: a record is there seconds to minutes after its timestamp.
    windowSize: 'PT15M'
    autoMitigate: true
    skipQueryValidation: true
    criteria: {
      allOf: [
        {
          query: loadTextContent('../alert-queries/throttled-share.kql')
          timeAggregation: 'Maximum'
          metricMeasureColumn: 'throttledPercent'
          operator: 'GreaterThan'
          threshold: 5
          dimensions: [
            {
              name: 'runId'
              operator: 'Include'
              values: ['*']
            }
          ]
          failingPeriods: {
            numberOfEvaluationPeriods: 1
            minFailingPeriodsToAlert: 1
          }
        }
      ]
    }
    actions: { actionGroups: actionGroups }
  }
}

resource failedRun 'Microsoft.Insights/scheduledQueryRules@2023-12-01' = {
  name: 'run-failed'
  location: location
  tags: tags
  kind: 'LogAlert'
  properties: {
    displayName: 'A run failed, or is incomplete'
    description: 'Its report says why. A run that is lost has none: its orchestration ended without one.'
    severity: 1
    enabled: true
    scopes: [componentId]
    evaluationFrequency: 'PT5M'
    // A record that comes up to 25 minutes after its timestamp is still found by one evaluation. Usual are seconds to 3 minutes.
    windowSize: 'PT30M'
    autoMitigate: true
    skipQueryValidation: true
    criteria: {
      allOf: [
        {
          query: loadTextContent('../alert-queries/failed-run.kql')
          timeAggregation: 'Count'
          operator: 'GreaterThan'
          threshold: 0
          dimensions: [
            {
              name: 'runId'
              operator: 'Include'
              values: ['*']
            }
          ]
          failingPeriods: {
            numberOfEvaluationPeriods: 1
            minFailingPeriodsToAlert: 1
          }
        }
      ]
    }
    actions: { actionGroups: actionGroups }
  }
}

resource silentTimer 'Microsoft.Insights/scheduledQueryRules@2023-12-01' = {
  name: 'timer-silent'
  location: location
  tags: tags
  kind: 'LogAlert'
  properties: {
    displayName: 'A timer of the app has not run for two hours'
    description: 'Left containers stay and are billed, and lost runs are not reported. infra/README.md says what to do.'
    severity: 2
    enabled: true
    scopes: [componentId]
    evaluationFrequency: 'PT1H'
    // Long enough for the records from before the silence, by which the app is known to have been there.
    windowSize: 'P1D'
    autoMitigate: true
    skipQueryValidation: true
    criteria: {
      allOf: [
        {
          query: loadTextContent('../alert-queries/silent-timer.kql')
          timeAggregation: 'Count'
          operator: 'GreaterThan'
          threshold: 0
          dimensions: [
            {
              name: 'timer'
              operator: 'Include'
              values: ['*']
            }
          ]
          failingPeriods: {
            numberOfEvaluationPeriods: 1
            minFailingPeriodsToAlert: 1
          }
        }
      ]
    }
    actions: { actionGroups: actionGroups }
  }
}

resource appTrouble 'Microsoft.Insights/scheduledQueryRules@2023-12-01' = {
  name: 'app-trouble'
  location: location
  tags: tags
  kind: 'LogAlert'
  properties: {
    displayName: 'A worker of the app crashed, or a progress message went to the poison queue'
    description: 'Runs survive both. infra/README.md says what to look at.'
    severity: 2
    enabled: true
    scopes: [componentId]
    evaluationFrequency: 'PT15M'
    // A record that comes up to 15 minutes after its timestamp is still found by one evaluation.
    windowSize: 'PT30M'
    autoMitigate: true
    skipQueryValidation: true
    criteria: {
      allOf: [
        {
          query: loadTextContent('../alert-queries/app-trouble.kql')
          timeAggregation: 'Count'
          operator: 'GreaterThan'
          threshold: 0
          dimensions: [
            {
              name: 'trouble'
              operator: 'Include'
              values: ['*']
            }
          ]
          failingPeriods: {
            numberOfEvaluationPeriods: 1
            minFailingPeriodsToAlert: 1
          }
        }
      ]
    }
    actions: { actionGroups: actionGroups }
  }
}

resource dailyQuota 'Microsoft.Insights/scheduledQueryRules@2023-12-01' = {
  name: 'telemetry-quota'
  location: location
  tags: tags
  kind: 'LogAlert'
  properties: {
    displayName: 'The daily quota of telemetry is used up'
    description: 'Until the next day workbook and alerts see nothing new. Runs and their reports do not depend on it.'
    severity: 2
    enabled: true
    scopes: [workspaceId]
    evaluationFrequency: 'PT1H'
    // A record that comes up to an hour after its timestamp is still found by one evaluation.
    windowSize: 'PT2H'
    autoMitigate: true
    skipQueryValidation: true
    criteria: {
      allOf: [
        {
          query: loadTextContent('../alert-queries/daily-quota.kql')
          timeAggregation: 'Count'
          operator: 'GreaterThan'
          threshold: 0
          failingPeriods: {
            numberOfEvaluationPeriods: 1
            minFailingPeriodsToAlert: 1
          }
        }
      ]
    }
    actions: { actionGroups: actionGroups }
  }
}

// A metric of the platform: it costs next to nothing and needs no telemetry.
resource serverErrors 'Microsoft.Insights/metricAlerts@2018-03-01' = {
  name: 'http-server-errors'
  location: 'global'
  tags: tags
  properties: {
    description: 'Over 5 requests to the app got an HTTP 5xx in 15 minutes. The first minutes after a deployment may have some.'
    severity: 2
    enabled: true
    scopes: [appId]
    evaluationFrequency: 'PT5M'
    windowSize: 'PT15M'
    autoMitigate: true
    criteria: {
      'odata.type': 'Microsoft.Azure.Monitor.SingleResourceMultipleMetricCriteria'
      allOf: [
        {
          criterionType: 'StaticThresholdCriterion'
          name: 'server errors'
          metricNamespace: 'Microsoft.Web/sites'
          metricName: 'Http5xx'
          timeAggregation: 'Total'
          operator: 'GreaterThan'
          threshold: 5
          // The app is seconds old when the rule is made.
          skipMetricValidation: true
        }
      ]
    }
    actions: [for id in actionGroups: { actionGroupId: id }]
  }
}
