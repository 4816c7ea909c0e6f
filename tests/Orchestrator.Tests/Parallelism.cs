// The worker's own web server takes one port per process, so that one app can run at a time.
[assembly: CollectionBehavior(DisableTestParallelization = true)]
