namespace ScaleOut.Tests.Support.Azurite;

/// <summary>Azurite as npm installs it from the lock file, once for all test runs of this user.</summary>
internal static class AzuriteInstall
{
    private static readonly string[] Sources = ["package.json", "package-lock.json", "serve.js"];
    private static readonly TimeSpan InstallTimeout = TimeSpan.FromMinutes(5);

    /// <summary>The folder that holds <c>serve.js</c> and <c>node_modules</c>; installs them when they are missing.</summary>
    /// <exception cref="AzuriteUnavailableException">Node or npm is missing, or npm cannot install.</exception>
    public static async Task<string> FolderAsync(CancellationToken cancellationToken)
    {
        var folder = Path.Combine(CacheRoot(), $"azurite-{HashOfSources()}");
        if (Directory.Exists(folder))
            return folder;

        Directory.CreateDirectory(CacheRoot());
        using var one = await LockAsync(folder + ".lock", cancellationToken);
        if (!Directory.Exists(folder))
            await InstallAsync(folder, cancellationToken);
        return folder;
    }

    private static async Task InstallAsync(string folder, CancellationToken cancellationToken)
    {
        var half = $"{folder}.{Guid.NewGuid():N}";
        Directory.CreateDirectory(half);
        try
        {
            foreach (var source in Sources)
                File.Copy(Path.Combine(RepositoryFiles.Azurite, source), Path.Combine(half, source));
            var (exitCode, errors) = await RunAsync("npm", ["ci", "--no-audit", "--no-fund", "--ignore-scripts"], half, cancellationToken);
            if (exitCode != 0)
                throw new AzuriteUnavailableException($"'npm ci' in tests/azurite ended with exit code {exitCode}: {errors}");
            Directory.Move(half, folder);
        }
        finally
        {
            if (Directory.Exists(half))
                Directory.Delete(half, recursive: true);
        }
    }

    private static async Task<(int ExitCode, string Errors)> RunAsync(
        string program, string[] arguments, string folder, CancellationToken cancellationToken)
    {
        using var timeout = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        timeout.CancelAfter(InstallTimeout);
        using var process = Start(new ProcessStartInfo(program, arguments)
        {
            WorkingDirectory = folder, RedirectStandardOutput = true, RedirectStandardError = true,
        });
        try
        {
            var errors = process.StandardError.ReadToEndAsync(timeout.Token);
            await process.StandardOutput.ReadToEndAsync(timeout.Token);
            await process.WaitForExitAsync(timeout.Token);
            return (process.ExitCode, (await errors).Trim());
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            process.Kill(entireProcessTree: true);
            throw new AzuriteUnavailableException($"'{program}' did not end within {InstallTimeout.TotalMinutes} minutes.");
        }
    }

    /// <summary>Starts Node or npm.</summary>
    /// <exception cref="AzuriteUnavailableException">It is not installed.</exception>
    public static Process Start(ProcessStartInfo start)
    {
        try
        {
            return Process.Start(start)!;
        }
        catch (System.ComponentModel.Win32Exception e)
        {
            throw new AzuriteUnavailableException($"Azurite needs Node.js, and '{start.FileName}' cannot be started: {e.Message}");
        }
    }

    private static string CacheRoot()
    {
        var local = Environment.GetFolderPath(Environment.SpecialFolder.LocalApplicationData);
        return Path.Combine(local.Length > 0 ? local : Path.GetTempPath(), "scaleout-tests");
    }

    private static string HashOfSources()
    {
        using var hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        foreach (var source in Sources)
            hash.AppendData(File.ReadAllBytes(Path.Combine(RepositoryFiles.Azurite, source)));
        return Convert.ToHexStringLower(hash.GetHashAndReset())[..16];
    }

    /// <summary>Several test runs may want to install at once.</summary>
    private static async Task<FileStream> LockAsync(string file, CancellationToken cancellationToken)
    {
        var deadline = DateTimeOffset.UtcNow + InstallTimeout;
        while (true)
        {
            try
            {
                return new FileStream(file, FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None);
            }
            catch (IOException) when (DateTimeOffset.UtcNow < deadline)
            {
                await Task.Delay(TimeSpan.FromSeconds(0.2), cancellationToken);
            }
        }
    }
}

/// <summary>Azurite cannot be had on this machine; the message says why.</summary>
public sealed class AzuriteUnavailableException(string message) : Exception(message);
