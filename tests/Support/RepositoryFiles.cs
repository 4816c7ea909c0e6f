namespace ScaleOut.Tests.Support;

/// <summary>Finds the files of the repository that the tests were built from.</summary>
internal static class RepositoryFiles
{
    public static string Root { get; } = FindRoot();
    public static string Plans { get; } = Path.Combine(Root, "plans");

    /// <summary>The folder of the Azurite that queue and blob code is tested against.</summary>
    public static string Azurite { get; } = Path.Combine(Root, "tests", "azurite");

    private static string FindRoot()
    {
        for (var folder = new DirectoryInfo(AppContext.BaseDirectory); folder is not null; folder = folder.Parent)
        {
            if (File.Exists(Path.Combine(folder.FullName, "ScaleOut.slnx")))
                return folder.FullName;
        }

        throw new DirectoryNotFoundException($"no folder above {AppContext.BaseDirectory} holds ScaleOut.slnx");
    }
}
