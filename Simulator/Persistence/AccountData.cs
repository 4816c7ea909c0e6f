using ScaleOut.Evidence;

namespace ScaleOut.Simulator.Persistence;

/// <summary>A data folder cannot be used. Each error names its file.</summary>
internal sealed class AccountDataException(IReadOnlyList<string> errors) : IOException(string.Join(Environment.NewLine, errors))
{
    public IReadOnlyList<string> Errors { get; } = errors;
}

/// <summary>
/// The folder that keeps an account between processes. It is written when the account stops: the documents to a new folder, then
/// <c>account.json</c>, which names that folder, over the former one. If writing fails before that, the folder keeps the former state. A
/// killed process loses all changes since the last stop.
/// </summary>
internal sealed class AccountData : IDisposable
{
    private const string ManifestFile = "account.json";
    private const string ItemName = "simulated-account/" + ManifestFile;
    private const string KeyFile = "account.key";
    private const string CertificateName = "account.pfx";
    private const string LockFile = "in-use";
    private const string DocumentsPrefix = "documents-";

    private readonly string _folder;
    private readonly FileStream _lock;

    private AccountData(string folder, FileStream lockFile) => (_folder, _lock) = (folder, lockFile);

    /// <summary>The file that keeps the account's certificate.</summary>
    public string CertificatePath => Path.Combine(_folder, CertificateName);

    /// <summary>Opens or creates a folder for this process alone.</summary>
    /// <exception cref="AccountDataException">It cannot be created, or another process uses it.</exception>
    public static AccountData Open(string folder)
    {
        try
        {
            folder = Path.GetFullPath(folder);
            DurableFile.CreateFolder(folder);
            var lockFile = new FileStream(
                Path.Combine(folder, LockFile), FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None, 1, FileOptions.DeleteOnClose);
            return new AccountData(folder, lockFile);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new AccountDataException([$"The data folder {folder} cannot be used, or another account uses it: {e.Message}"]);
        }
    }

    /// <summary>Returns the given key, else the folder's, else a new one, and keeps it in the folder.</summary>
    /// <exception cref="AccountDataException">The folder's key is damaged, or cannot be written.</exception>
    public string KeepKey(string? given, Func<string> create)
    {
        var path = Path.Combine(_folder, KeyFile);
        try
        {
            if (given is null && File.Exists(path))
            {
                var kept = File.ReadAllText(path).Trim();
                return kept.Length > 0 && Convert.TryFromBase64String(kept, new byte[kept.Length], out _)
                    ? kept : throw new AccountDataException([$"{path}: the content is not base64. Delete the file to get another key."]);
            }

            var key = given ?? create();
            DurableFile.Write(path, Encoding.UTF8.GetBytes(key), DurableFile.OwnerOnly);
            return key;
        }
        catch (Exception e) when (e is UnauthorizedAccessException or (IOException and not AccountDataException))
        {
            throw new AccountDataException([$"{path}: {e.Message}"]);
        }
    }

    /// <summary>Adds the folder's content to an empty catalog.</summary>
    /// <exception cref="AccountDataException">A file is damaged. The catalog must not be used.</exception>
    public void Load(ResourceCatalog catalog)
    {
        var path = Path.Combine(_folder, ManifestFile);
        if (!File.Exists(path))
            return;
        try
        {
            var manifest = StoredItem.Read<AccountManifest>(ItemName, File.ReadAllBytes(path), ScaleOutJson.Indented);
            var documents = Path.Combine(_folder, manifest.Documents);
            string[] damages =
            [
                .. manifest.Databases.SelectMany(database => database.Containers).SelectMany(container => container.Files)
                    .Select(file => DocumentFile.FindDamage(Path.Combine(documents, file.File), file)).OfType<string>(),
            ];
            if (damages.Length > 0)
                throw new AccountDataException(damages);
            catalog.LastNumbers = (manifest.LastDatabase, manifest.LastContainer);
            foreach (var database in manifest.Databases)
            {
                var restored = catalog.RestoreDatabase(
                    database.Number, database.Name, database.TimestampSeconds, database.Offer, database.Revision);
                foreach (var container in database.Containers)
                    Load(catalog, restored, container, documents);
            }
        }
        catch (InvalidDataException e)
        {
            throw new AccountDataException([e.Message]);
        }
        catch (Exception e)
            when (e is EvidenceException or UnauthorizedAccessException or RequestException or (IOException and not AccountDataException))
        {
            throw new AccountDataException([$"{path}: {e.Message}"]);
        }
    }

    /// <summary>Writes a catalog. The catalog must not change in the meantime.</summary>
    /// <exception cref="AccountDataException">It could not be written. The folder still holds the previous data.</exception>
    public void Save(ResourceCatalog catalog)
    {
        var documents = $"{DocumentsPrefix}{Convert.ToHexStringLower(RandomNumberGenerator.GetBytes(8))}";
        var path = Path.Combine(_folder, ManifestFile);
        try
        {
            DurableFile.CreateFolder(Path.Combine(_folder, documents));
            (var lastDatabase, var lastContainer) = catalog.LastNumbers;
            var manifest = new AccountManifest(
                documents, lastDatabase, lastContainer,
                [
                    .. catalog.Databases.Select(database => new KeptDatabase(
                        database.Number, database.Name, database.TimestampSeconds, database.OwnOffer, database.Revision,
                        [.. database.ContainersInOrder.Select(container => Save(container, Path.Combine(_folder, documents)))])),
                ]);
            // The names of the documents' files are on disk before the manifest that refers to them.
            DurableFile.FlushFolder(Path.Combine(_folder, documents));
            DurableFile.Write(path, StoredItem.Write(ItemName, manifest, ScaleOutJson.Indented));
            DurableFile.DeleteTemporaryFiles(_folder);
            foreach (var former in Directory.GetDirectories(_folder, DocumentsPrefix + "*"))
            {
                if (Path.GetFileName(former) != documents)
                    Directory.Delete(former, recursive: true);
            }
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new AccountDataException([$"The account's data could not be written to {_folder}: {e.Message}"]);
        }
    }

    public void Dispose() => _lock.Dispose();

    private static KeptContainer Save(ContainerResource container, string documents)
    {
        var states = new List<PartitionState>();
        var files = new List<KeptDocuments>();
        foreach (var partition in container.Partitions)
        {
            lock (partition.Gate)
            {
                states.Add(partition.ReadState_NeedsLock());
                var name = $"container-{container.Number}-partition-{partition.Ordinal}";
                if (partition.Store.Count > 0)
                    files.Add(DocumentFile.Write_NeedsLock(documents, name, partition));
            }
        }

        return new KeptContainer(
            container.Number, JsonSerializer.SerializeToElement(ResourceJson.From(container)), container.OwnOffer,
            new ContainerState(container.TimestampSeconds, container.Revision, container.Map.Revision, states), files)
        {
            Scripts = container.Scripts.State is { Last: > 0 } scripts ? scripts : null,
        };
    }

    private static void Load(ResourceCatalog catalog, DatabaseResource database, KeptContainer kept, string documents)
    {
        var settings = ContainerSettings.Parse(JsonSerializer.SerializeToUtf8Bytes(kept.Definition));
        var container = catalog.RestoreContainer(database, kept.Number, settings, kept.Offer, kept.State);
        if (kept.Scripts is not null)
            container.Scripts.Restore(kept.Scripts);
        foreach (var file in kept.Files)
            DocumentFile.Read(Path.Combine(documents, file.File), file, container, container.Partitions[file.Partition]);
    }
}

/// <summary>The content of a data folder, and the files of its documents.</summary>
/// <param name="Documents">The folder of the documents' files, in the data folder.</param>
internal sealed record AccountManifest(string Documents, uint LastDatabase, uint LastContainer, IReadOnlyList<KeptDatabase> Databases);

/// <param name="Offer">For its containers to share; null for none.</param>
internal sealed record KeptDatabase(
    uint Number, string Name, long TimestampSeconds, Offer? Offer, int Revision, IReadOnlyList<KeptContainer> Containers);

/// <param name="Definition">In the form of the account's response.</param>
/// <param name="Offer">Null if it shares its database's.</param>
/// <param name="Files">Of the partitions with documents.</param>
internal sealed record KeptContainer(
    uint Number, JsonElement Definition, Offer? Offer, ContainerState State, IReadOnlyList<KeptDocuments> Files)
{
    /// <summary>Null for none.</summary>
    public ScriptsState? Scripts { get; init; }
}

/// <summary>The file of one partition's documents.</summary>
/// <param name="Sha256">Of all its bytes, in hexadecimal.</param>
internal sealed record KeptDocuments(int Partition, string File, int Count, long Bytes, string Sha256);
