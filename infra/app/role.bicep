@description('Name of the Cosmos DB account that the role is made for; the account need not exist yet.')
param cosmosName string

// An identity cannot manage containers on the data plane, and the built-in roles that can on Resource Manager may also delete the account.
resource containerRole 'Microsoft.Authorization/roleDefinitions@2022-04-01' = {
  // Of the group, not of the account: so the definition is made at once, and is known everywhere by the time it is assigned.
  name: guid(resourceGroup().id, 'container operator')
  properties: {
    // Unique in the tenant, as role names must be.
    roleName: 'Container operator of ${cosmosName}'
    description: 'Reads a Cosmos DB database; creates, scales and deletes containers in it. No keys, no documents, no account settings.'
    type: 'CustomRole'
    // Azure advises against roles that are assignable on a single resource only. The role's reach is decided where it is assigned.
    assignableScopes: [resourceGroup().id]
    permissions: [
      {
        actions: [
          // Which actions the identity has: so a start knows whether it may change RU/s.
          'Microsoft.Authorization/permissions/read'
          'Microsoft.DocumentDB/databaseAccounts/sqlDatabases/read'
          'Microsoft.DocumentDB/databaseAccounts/sqlDatabases/throughputSettings/read'
          'Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers/read'
          'Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers/write'
          'Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers/delete'
          'Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers/operationResults/read'
          'Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers/throughputSettings/read'
          'Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers/throughputSettings/write'
          'Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers/throughputSettings/operationResults/read'
        ]
        notActions: []
        dataActions: []
        notDataActions: []
      }
    ]
  }
}

output id string = containerRole.id
output name string = containerRole.name
