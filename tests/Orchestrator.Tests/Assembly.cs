[assembly: AssemblyFixture(typeof(ScaleOut.Tests.Support.Azurite.AzuriteFixture))]
// Tests change the environment of the process, and apps have static state of the worker library.
[assembly: CollectionBehavior(DisableTestParallelization = true)]
