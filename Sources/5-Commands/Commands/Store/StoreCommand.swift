import ArgumentParser

struct StoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store", abstract: "Keep files in a store of tcfs: check, fetch, synchronize.",
        discussion: """
            A store keeps files as chunks that are named by their digests, in a folder or a bucket of S3, in the format of \
            tcfs (TummyCrypt). Stores of all versions are read; what is written, all versions read.

            STORE is a folder, s3:https://HOST/BUCKET/PREFIX, or seaweedfs://HOST:PORT/BUCKET/PREFIX as tcfs has it, where \
            the prefix is the name of the bucket if it is left out. Keys of the server are read from AWS_ACCESS_KEY_ID and \
            AWS_SECRET_ACCESS_KEY.

            Commands that read accounts and archives take store://STORE::PATH in their place.
            """,
        subcommands: [
            StoreList.self, StoreGet.self, StorePut.self, StoreRemove.self, StoreStatusCommand.self,
            StoreVerify.self, StoreDiff.self, StorePush.self, StorePull.self, StoreCollect.self,
            StoreUnlock.self,
        ])
}
