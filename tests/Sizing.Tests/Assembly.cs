[assembly: TestCollectionOrderer(typeof(ScaleOut.Tests.Support.LongestFirst))]
