// What one principal needs of Cosmos DB: documents on the data plane, containers through Resource Manager; both in one database only.

@description('Object id of the principal.')
param principalId string
@description('ServicePrincipal, User or Group; empty where it is not known.')
param principalType string
@description('Name of the Cosmos DB account.')
param cosmosName string
@description('Name of the database that runs make their containers in.')
param databaseName string
@description('Resource id of the custom role of app/role.bicep.')
param containerRoleId string

// A role of Cosmos DB's own: items and metadata, no containers, no throughput.
var cosmosDataContributor = '00000000-0000-0000-0000-000000000002'

// With a type, a principal that was created moments ago is accepted before it is known everywhere.
var knownType = empty(principalType) ? null : principalType

resource cosmos 'Microsoft.DocumentDB/databaseAccounts@2025-10-15' existing = {
  name: cosmosName
}

resource database 'Microsoft.DocumentDB/databaseAccounts/sqlDatabases@2025-10-15' existing = {
  parent: cosmos
  name: databaseName
}

// As the data plane writes it. readMetadata may be assigned at any level, and allows there what a client reads of that level and below:
// https://learn.microsoft.com/azure/cosmos-db/how-to-setup-rbac#metadata-requests
var documentScope = '${cosmos.id}/dbs/${databaseName}'

resource documentAccess 'Microsoft.DocumentDB/databaseAccounts/sqlRoleAssignments@2025-10-15' = {
  parent: cosmos
  // The scope of an assignment cannot be changed: another scope is another assignment.
  name: guid(documentScope, principalId, cosmosDataContributor)
  properties: {
    roleDefinitionId: '${cosmos.id}/sqlRoleDefinitions/${cosmosDataContributor}'
    principalId: principalId
    scope: documentScope
  }
}

resource containerAccess 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(database.id, principalId, containerRoleId)
  scope: database
  properties: {
    roleDefinitionId: containerRoleId
    principalId: principalId
    principalType: knownType
  }
}
