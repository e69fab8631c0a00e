import ValiseFailures

/// What is done with files and folders, of single requests.
extension SFTPConnection {
    /// So many requests of one file are sent before the first is answered: with 32 KiB each that is 2 MiB on the way.
    private static let mostOnTheWay = 64

    /// More is not read into memory at once: a file of a stranger may claim any size.
    static let mostBytesAtOnce: Int64 = 1 << 30

    /// Does a request, and waits for its answer.
    /// - Throws: as ``answer(to:)``.
    @discardableResult
    func ask(_ request: SFTPRequest) throws -> SFTPResponse { try answer(to: send(request)) }

    /// An answer of a type that the request does not have.
    func unexpected() -> StorageError { giveUp(.invalidAnswer("is of an unknown or unexpected type")) }

    /// Waits for an answer that only says whether it was done.
    /// - Throws: as ``answer(to:)``.
    func finish(_ reply: SFTPReply) throws {
        guard case .status = try answer(to: reply) else { throw unexpected() }
    }

    /// What is there under a path; nil for nothing.
    ///
    /// - Parameter following: whether it is that which a link leads to.
    /// - Throws: as ``answer(to:)``.
    func attributes(of path: String, following: Bool = false) throws -> SFTPAttributes? {
        do {
            guard case .attributes(let found) = try ask(following ? .stat(path) : .linkStat(path)) else {
                throw unexpected()
            }
            return found
        } catch let status as SFTPStatus where status.isMissing {
            return nil
        }
    }

    /// The handle that an opening is answered with.
    /// - Throws: as ``answer(to:)``.
    func handle(_ reply: SFTPReply) throws -> SFTPHandle {
        guard case .handle(let handle) = try answer(to: reply) else { throw unexpected() }
        return handle
    }

    // MARK: Reading

    /// Bytes of a file.
    ///
    /// - Parameters:
    ///   - path: of a file.
    ///   - start: where they begin.
    ///   - count: how many.
    /// - Returns: fewer where the file ends before.
    /// - Throws: as ``answer(to:)``.
    func bytes(of path: String, at start: Int64, count: Int) throws -> [UInt8] {
        let handle = try handle(send(.open(path, .reading)))
        defer { post(.close(handle)) }
        var content: [UInt8] = []
        content.reserveCapacity(count)
        var waiting: [(reply: SFTPReply, count: Int)] = []
        var next = 0
        while content.count < count {
            while next < count, waiting.count < Self.mostOnTheWay {
                let size = min(count - next, SFTPRequest.transferSize)
                waiting.append((try read(handle, start + Int64(next), size), size))
                next += size
            }
            let first = waiting.removeFirst()
            guard try append(first.reply, first.count, handle, start, &content) else { return content }
        }
        return content
    }

    private func read(_ handle: SFTPHandle, _ offset: Int64, _ count: Int) throws -> SFTPReply {
        try send(.read(handle, offset: UInt64(clamping: offset), count: UInt32(clamping: count)))
    }

    /// Appends the bytes of an answer, and asks again for what is missing of them.
    /// - Returns: false where the file ends before them.
    private func append(
        _ reply: SFTPReply, _ count: Int, _ handle: SFTPHandle, _ start: Int64, _ content: inout [UInt8]
    ) throws -> Bool {
        var reply = reply
        var left = count
        while true {
            let response: SFTPResponse
            do {
                response = try answer(to: reply)
            } catch let status as SFTPStatus where status.isEnd {
                return false
            }
            guard case .data(let bytes) = response else { throw unexpected() }
            guard !bytes.isEmpty, bytes.count <= left else {
                throw giveUp(.invalidAnswer("has another number of bytes than was asked for"))
            }
            content += bytes
            left -= bytes.count
            if left == 0 { return true }
            reply = try read(handle, start + Int64(content.count), left)
        }
    }

    // MARK: Writing

    /// Writes all of a new file, and makes it durable where the server can.
    ///
    /// The file is closed at the end in any case.
    ///
    /// - Throws: as ``answer(to:)``.
    func write(_ content: [UInt8], _ handle: SFTPHandle) throws {
        var isClosed = false
        defer { if !isClosed { post(.close(handle)) } }
        var waiting: [SFTPReply] = []
        var position = 0
        while position < content.count {
            if waiting.count == Self.mostOnTheWay { try finish(waiting.removeFirst()) }
            let end = min(position + SFTPRequest.transferSize, content.count)
            waiting.append(
                try send(.write(handle, offset: UInt64(position), content[position..<end])))
            position = end
        }
        // Not on the way together with the closing: not all servers keep the order.
        for reply in waiting { try finish(reply) }
        if extensions.contains(.flushing) { try finish(send(.flush(handle))) }
        isClosed = true
        try finish(send(.close(handle)))
    }

    /// Makes the names in a folder durable where the server can: OpenSSH's opens folders as it does files.
    /// - Throws: as ``answer(to:)``, but for servers that cannot.
    func flushNames(in folder: String) throws {
        guard extensions.contains(.flushing) else { return }
        do {
            let handle = try handle(send(.open(folder, .reading)))
            defer { post(.close(handle)) }
            try finish(send(.flush(handle)))
        } catch is SFTPStatus {
            // The files themselves are flushed.
        }
    }

    // MARK: Folders

    /// The names in a folder.
    ///
    /// - Parameters:
    ///   - folder: its path.
    ///   - most: more names, foreign ones included, are no folder of a repository.
    ///   - body: gets each.
    /// - Throws: as ``answer(to:)``; whatever the body throws.
    func forEachName(in folder: String, most: Int, _ body: (SFTPName) throws -> Void) throws {
        let handle = try handle(send(.openFolder(folder)))
        defer { post(.close(handle)) }
        var seen = 0
        while true {
            let response: SFTPResponse
            do {
                response = try ask(.readFolder(handle))
            } catch let status as SFTPStatus where status.isEnd {
                return
            }
            guard case .names(let names) = response else { throw unexpected() }
            seen += names.count
            guard !names.isEmpty, seen <= most else {
                throw giveUp(.invalidAnswer("to a request for the names in a folder does not end"))
            }
            for name in names { try body(name) }
        }
    }

    /// Bytes that are free where a folder is; nil where the server does not say.
    /// - Throws: as ``answer(to:)``.
    func freeSpace(in folder: String) throws -> Int64? {
        guard extensions.contains(.freeSpace) else { return nil }
        do {
            guard case .other(let bytes) = try ask(.fileSystem(folder)) else { throw unexpected() }
            return SFTPStatus.freeSpace(bytes)
        } catch is SFTPStatus {
            return nil
        }
    }
}
