// What one principal needs of the Durable Task Scheduler, which takes up to 15 minutes to make.

@description('Object id of the principal.')
param principalId string
@description('ServicePrincipal, User or Group; empty where it is not known.')
param principalType string
@description('Name of the Durable Task Scheduler.')
param schedulerName string

// A built-in role by the id that Azure gives it in every tenant.
var durableTaskDataContributor = '0ad04412-c4d5-4796-b79c-f76d14c8d402'

// With a type, a principal that was created moments ago is accepted before it is known everywhere.
var knownType = empty(principalType) ? null : principalType

resource scheduler 'Microsoft.DurableTask/schedulers@2026-02-01' existing = {
  name: schedulerName
}

resource schedulerAccess 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(scheduler.id, principalId, durableTaskDataContributor)
  scope: scheduler
  properties: {
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', durableTaskDataContributor)
    principalId: principalId
    principalType: knownType
  }
}
