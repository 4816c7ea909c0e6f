[assembly: AssemblyFixture(typeof(ScaleOut.Tests.Support.Azurite.AzuriteFixture))]
[assembly: TestCollectionOrderer(typeof(ScaleOut.Tests.Support.LongestFirst))]
