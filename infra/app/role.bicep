@description('Name of the Cosmos DB account.')
param cosmosName string

resource cosmos 'Microsoft.DocumentDB/databaseAccounts@2025-10-15' existing = {
  name: cosmosName
}

// An identity cannot manage containers on the data plane, and the built-in roles that can on Resource Manager may also delete the account.
resource containerRole 'Microsoft.Authorization/roleDefinitions@2022-04-01' = {
  name: guid(cosmos.id, 'container operator')
  properties: {
    // Unique in the tenant, as role names must be.
    roleName: 'Container operator of ${cosmos.name}'
    description: 'Reads a Cosmos DB database; creates and deletes containers in it. No keys, no documents, no account settings.'
    type: 'CustomRole'
    // Azure advises against roles that are assignable on a single resource only. The role's reach is decided where it is assigned.
    assignableScopes: [resourceGroup().id]
    permissions: [
      {
        actions: [
          'Microsoft.DocumentDB/databaseAccounts/sqlDatabases/read'
          'Microsoft.DocumentDB/databaseAccounts/sqlDatabases/throughputSettings/read'
          'Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers/read'
          'Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers/write'
          'Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers/delete'
          'Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers/operationResults/read'
          'Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers/throughputSettings/read'
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
