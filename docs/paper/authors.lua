-- JOSS names authors under `authors`, with affiliations by index; pandoc's own template prints `author`.
local text = pandoc.utils.stringify

function Meta(meta)
  local places = {}
  for _, place in ipairs(meta.affiliations or {}) do
    places[text(place.index)] = text(place.name)
  end
  meta.author = pandoc.List()
  for _, author in ipairs(meta.authors) do
    local line = text(author.name)
    for index in text(author.affiliation or ""):gmatch("%w+") do
      line = line .. ", " .. assert(places[index], "no affiliation " .. index)
    end
    meta.author:insert(pandoc.MetaInlines({ pandoc.Str(line) }))
  end
  return meta
end
