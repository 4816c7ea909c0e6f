@description('Name of the action group.')
param actionGroupName string
@description('Region of the rules.')
param location string
@description('Tags of every resource.')
param tags object
@description('Resource id of the Application Insights component that the rules query.')
param componentId string
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

// 2026-03-01 is the only newer version of the rules, and the Bicep that azd brings does not know it yet.
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
