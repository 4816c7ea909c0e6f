// What one principal needs of the storage account: the app's own identity in Azure, a developer's identity for running it locally.
// The app is deployed and starts by these roles, and a role needs minutes to hold: so they wait for nothing but the account.

@description('Object id of the principal.')
param principalId string
@description('ServicePrincipal, User or Group; empty where it is not known.')
param principalType string
@description('Name of the storage account.')
param storageName string

// Built-in roles by the ids that Azure gives them in every tenant.
var storageBlobDataOwner = 'b7e6dc6d-f1e8-4753-8033-0f276bb0955b'
var storageQueueDataContributor = '974c5e8b-45b9-4653-ba55-5f855dd0fb88'

// With a type, a principal that was created moments ago is accepted before it is known everywhere.
var knownType = empty(principalType) ? null : principalType

resource storage 'Microsoft.Storage/storageAccounts@2025-06-01' existing = {
  name: storageName
}

resource blobAccess 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(storage.id, principalId, storageBlobDataOwner)
  scope: storage
  properties: {
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', storageBlobDataOwner)
    principalId: principalId
    principalType: knownType
  }
}

resource queueAccess 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(storage.id, principalId, storageQueueDataContributor)
  scope: storage
  properties: {
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', storageQueueDataContributor)
    principalId: principalId
    principalType: knownType
  }
}
